/** Sends a request on, or does something else; it arrives even when who sent it has given up. */
export type Outside = (request: Request, send: () => Promise<Response>) => Promise<Response>;

/** Sends a request to a system through what stands before it. Rejects when the sender gives up. */
export async function sent(
  request: Request,
  outside: Outside,
  fetch: (url: string, init: RequestInit) => Promise<Response>,
): Promise<Response> {
  const { signal, method, headers, url } = request;
  const body = request.body === null ? null : await request.clone().text();
  const gone = new Promise<never>((_, reject) => {
    const giveUp = () => reject(signal.reason);
    if (signal.aborted) giveUp();
    signal.addEventListener("abort", giveUp, { once: true });
  });
  const arrives = outside(request, () => fetch(url, { method, headers, body }));
  arrives.catch(() => {});
  return Promise.race([arrives, gone]);
}
