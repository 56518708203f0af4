import { AppError } from "../../../error.ts";
import type { HttpReply, HttpRequest } from "../../../http.ts";

/** Controllers redirect to the path with a slash, or to where a resource has moved (DSP0266, "Redirects"). */
const redirects: ReadonlySet<number> = new Set([301, 302, 307, 308]);
/** The limit of redirects of one request. */
const bound = 5;

/**
 * Sends a request, and follows redirects within the controller (URL `base`), with the same method and body.
 * Throws Rejected for a redirect elsewhere, because following it would send the credentials there.
 */
export async function followed(
  base: string,
  request: HttpRequest,
  send: (request: HttpRequest) => Promise<HttpReply>,
): Promise<HttpReply> {
  let reply = await send(request);
  let { path } = request;
  for (let left = bound; left > 0 && redirects.has(reply.status); left -= 1) {
    const location = reply.headers.get("location");
    const to = location === null ? null : URL.parse(location, `${base}${path}`);
    if (!to) return reply;
    if (to.origin !== new URL(base).origin) throw elsewhere(to, request);
    path = `${to.pathname}${to.search}`;
    reply = await send({ ...request, path });
  }
  return reply;
}

const elsewhere = ({ origin }: URL, { method, path }: HttpRequest): AppError =>
  new AppError(
    "Rejected",
    `the server's controller redirects to ${origin}, which is not its address`,
    { detail: `${method} ${path}` },
  );
