// What somebody writes in an afternoon: every review in memory, the text of each searched on each
// request. `node scan.mjs REVIEWS.json` prints its address.
import { readFileSync } from "node:fs";
import fastify from "fastify";

const { reviews } = JSON.parse(readFileSync(process.argv[2], "utf8"));
const texts = reviews.map((review) => (review.text ?? "").toLowerCase());
const server = fastify();

server.get("/api/reviews/search", (request) => {
  const query = (request.query.query ?? "").toLowerCase();
  const matched = reviews.filter((_, at) => texts[at].includes(query));
  return { matched: matched.length, returned: Math.min(20, matched.length), reviews: matched.slice(0, 20) };
});

console.log(await server.listen({ host: "127.0.0.1", port: 0 }));
