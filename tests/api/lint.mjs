// Lints OpenAPI documents: node lint.mjs FILE…
import { createConfig, lint } from "@redocly/openapi-core";

const config = await createConfig({ extends: ["recommended-strict"], rules: {
  // Who may use the data is in the data (business.data_terms); the interface itself has no licence.
  "info-license": "off",
} });
let found = 0;
for (const ref of process.argv.slice(2)) {
  for (const { severity, ruleId, message, location } of await lint({ ref, config })) {
    const pointer = location.map((place) => place.pointer ?? "").join(" ");
    console.log(`${severity} ${ruleId} ${ref}${pointer}: ${message}`);
    found += 1;
  }
}
process.exitCode = found ? 1 : 0;
