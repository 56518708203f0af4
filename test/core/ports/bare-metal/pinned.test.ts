import { X509Certificate } from "node:crypto";
import { createServer, type Server } from "node:https";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { systemClock } from "../../../../core/clock.ts";
import { ask } from "../../../../core/http.ts";
import { pinnedFetch } from "../../../../core/ports/bare-metal/pinned.ts";
import { makeAuthority } from "../../../../sim/kubernetes/certificates.ts";

describe("a controller whose certificate nobody has signed", () => {
  let server: Server;
  let url: string;
  let fingerprint: string;
  let requests = 0;
  beforeAll(async () => {
    const { certificate, key } = await makeAuthority("a-controller");
    fingerprint = new X509Certificate(certificate).fingerprint256;
    server = createServer({ cert: certificate, key }, (_, response) => {
      requests += 1;
      response.end("{}");
    });
    await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
    url = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(() => server.close());

  const read = async (pinned: string) => {
    const { fetch, close } = pinnedFetch(pinned);
    const options = { system: "the controller", url, wall: systemClock, timeout: 10_000, fetch };
    try {
      return await ask(options, {
        method: "GET",
        path: "/",
        headers: { authorization: "a-secret" },
      });
    } finally {
      await close();
    }
  };

  it("is asked when its certificate has the pinned fingerprint, however that is written", async () => {
    expect((await read(fingerprint)).status).toBe(200);
    expect((await read(fingerprint.replaceAll(":", "").toLowerCase())).status).toBe(200);
  });

  it("gets no request when its certificate is another", async () => {
    const before = requests;
    const other = fingerprint.replace(/^../, (two) => (two === "00" ? "01" : "00"));
    await expect(read(other)).rejects.toMatchObject({
      kind: "Unavailable",
      detail: expect.stringContaining("is not the pinned one"),
    });
    expect(requests).toBe(before);
  });

  it("is not asked without encryption", async () => {
    const plain = await import("node:http").then(({ createServer: create }) =>
      create((_, response) => response.end("{}")),
    );
    await new Promise<void>((done) => plain.listen(0, "127.0.0.1", done));
    const { fetch, close } = pinnedFetch(fingerprint);
    const port = (plain.address() as AddressInfo).port;
    const options = { system: "the controller", wall: systemClock, timeout: 10_000, fetch };
    await expect(
      ask({ ...options, url: `http://127.0.0.1:${port}` }, { method: "GET", path: "/" }),
    ).rejects.toMatchObject({ kind: "Unavailable" });
    await close();
    plain.close();
  });
});
