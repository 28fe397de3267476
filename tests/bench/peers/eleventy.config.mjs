// The pages of the reviews as a site generator for everything makes them: lists of twenty, and a page
// for each review.
import { readFileSync } from "node:fs";

export default function (eleventy) {
  const { reviews, business } = JSON.parse(readFileSync(process.env.REVIEWS, "utf8"));
  eleventy.addGlobalData("reviews", reviews);
  eleventy.addGlobalData("business", business);
  eleventy.setQuietMode(true);
}

export const config = { dir: { input: "site" } };
