// What goes out beside the bytes: the links of the topics. (cloudfront-js-2.0)
function handler(event) {
  const link = LINKS[event.request.uri];
  if (link && event.response.statusCode < 400) event.response.headers.link = { value: link };
  return event.response;
}
