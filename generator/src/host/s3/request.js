// What a reader asks for, before the cache. (cloudfront-js-2.0)
function handler(event) {
  const request = event.request;
  const host = request.headers.host ? request.headers.host.value : "";
  const below = under(request.uri, SITE.prefix);
  for (const origin of SITE.previous) {
    const present = host === SITE.host && below !== null && SITE.prefix.length >= origin.prefix.length;
    const rest = under(request.uri, origin.prefix);
    if (host === origin.host && rest !== null && !present) {
      if (!isPosted(rest)) return redirect(SITE.base_url + rest, request.querystring);
      request.uri = rest;
      return request;
    }
  }
  if (below === null) return request;
  if (isDynamic(below)) {
    request.uri = below;
    return request;
  }
  if (request.method === "OPTIONS") return answer(204, "No Content", SITE.preflight);
  if (request.method !== "GET" && request.method !== "HEAD") return answer(405, "Method Not Allowed", { allow: SITE.allow });
  const name = below.slice(below.lastIndexOf("/") + 1);
  if (name === "index.html") return redirect(request.uri.slice(0, -name.length), request.querystring);
  if (name !== "" && !name.includes(".") && !SITE.without_extension.includes(below)) return redirect(request.uri + "/", request.querystring);
  request.uri = below;
  return request;
}

function under(path, prefix) {
  if (path !== prefix && !path.startsWith(prefix + "/")) return null;
  return path.slice(prefix.length) || "/";
}

function isDynamic(path) {
  return SITE.routes.some((route) => (route.endsWith("/") ? path.startsWith(route) : path === route));
}

function isPosted(path) {
  return SITE.posted.includes(path);
}

function answer(status, description, fields) {
  const headers = { "access-control-allow-origin": { value: "*" } };
  for (const name of Object.keys(fields)) headers[name] = { value: fields[name] };
  return { statusCode: status, statusDescription: description, headers: headers };
}

function redirect(to, query) {
  const pairs = [];
  for (const name of Object.keys(query)) {
    const values = query[name].multiValue || [query[name]];
    for (const item of values) pairs.push(item.value === "" ? name : name + "=" + item.value);
  }
  return answer(308, "Permanent Redirect", { location: pairs.length ? to + "?" + pairs.join("&") : to });
}
