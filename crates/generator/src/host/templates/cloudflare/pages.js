// Written by `candor host cloudflare`. The next build replaces it: change a copy.
import { answer } from "../../worker.mjs";

export function onRequest({ request, env }) {
  return answer(request, env);
}
