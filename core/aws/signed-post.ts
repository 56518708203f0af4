import { createHash, createHmac } from "node:crypto";
import { SignatureV4 } from "@smithy/signature-v4";
import type { Clock } from "../clock.ts";

/**
 * A POST to AWS, signed. Where a service is asked for one thing only, the SDK's client for all of
 * it, which would be a tenth of a bundle, is not worth it.
 */

export interface Access {
  region: string;
  credentials: Credentials;
  /** Dates the signature. */
  wall: Clock;
  fetch?: typeof globalThis.fetch;
}

export interface Credentials {
  accessKeyId: string;
  secretAccessKey: string;
  sessionToken?: string;
}

export interface Post {
  url: URL;
  headers: Record<string, string>;
  body: string;
  /** Milliseconds until it is given up. */
  limit: number;
}

/** Rejects as `fetch` does when there is no answer. */
export type SignedPost = (post: Post) => Promise<Response>;

/** Posts to a service by its signing name, such as `lambda`. */
export function signedPost(
  service: string,
  { region, credentials, wall, fetch = globalThis.fetch }: Access,
): SignedPost {
  const signer = new SignatureV4({ service, region, credentials, sha256: Sha256 });
  return async ({ url, headers, body, limit }) => {
    const request = {
      method: "POST",
      protocol: url.protocol,
      hostname: url.hostname,
      path: url.pathname,
      headers: { ...headers, host: url.host },
      body,
    };
    const signed = await signer.sign(request, { signingDate: new Date(wall.now()) });
    const { host: _, ...sent } = signed.headers;
    return fetch(url, { method: "POST", headers: sent, body, signal: AbortSignal.timeout(limit) });
  };
}

/** A refusal for the log: its status, and what came of its words. */
export async function wordsOf(answer: Response): Promise<string> {
  const words = await answer.text().catch(String);
  return `${answer.status} ${words.slice(0, 500)}`;
}

type Data = string | ArrayBuffer | ArrayBufferView;

const bytes = (data: Data): Buffer => {
  if (typeof data === "string") return Buffer.from(data);
  if (data instanceof ArrayBuffer) return Buffer.from(data);
  return Buffer.from(data.buffer, data.byteOffset, data.byteLength);
};

/** What the signer asks for: a hash, or with a key an HMAC. */
class Sha256 {
  readonly #hash;
  constructor(key?: Data) {
    this.#hash = key === undefined ? createHash("sha256") : createHmac("sha256", bytes(key));
  }
  update(data: Data): void {
    this.#hash.update(bytes(data));
  }
  async digest(): Promise<Uint8Array> {
    return new Uint8Array(this.#hash.digest());
  }
}
