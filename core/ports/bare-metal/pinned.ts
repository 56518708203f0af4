import type { TLSSocket } from "node:tls";
import { Agent, buildConnector, fetch as fetchOver } from "undici";
import type { HttpFetch } from "../../http.ts";

/**
 * A `fetch` for controllers with self-signed certificates: it sends nothing before the server has shown the
 * certificate with this fingerprint. `fingerprint` is the certificate's SHA-256 in hexadecimal, with or
 * without colons. The caller closes it.
 */
export function pinnedFetch(fingerprint: string): { fetch: HttpFetch; close(): Promise<void> } {
  const wanted = plain(fingerprint);
  // The fingerprint is the whole check: no authority and no host name is verified.
  const connect = buildConnector({ rejectUnauthorized: false, timeout: 5000 });
  const pool = new Agent({
    keepAliveTimeout: 30_000,
    connect: (options, callback) =>
      connect(options, (error, socket) => {
        if (error) return callback(error, null);
        const shown = plain((socket as TLSSocket).getPeerCertificate?.().fingerprint256 ?? "");
        if (shown === wanted) return callback(null, socket);
        socket.destroy();
        callback(new WrongCertificate(shown), null);
      }),
  });
  return {
    fetch: (url, init) => fetchOver(url, { ...init, dispatcher: pool }),
    close: () => pool.close(),
  };
}

/** The server has shown no certificate, or not the pinned one. */
class WrongCertificate extends Error {
  constructor(shown: string) {
    super(`the certificate's fingerprint is ${shown || "absent"}, which is not the pinned one`);
  }
}

const plain = (fingerprint: string): string => fingerprint.replaceAll(":", "").toLowerCase();
