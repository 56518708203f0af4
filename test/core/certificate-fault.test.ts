import { afterEach, expect, it } from "vitest";
import { systemClock } from "../../core/clock.ts";
import { ask } from "../../core/http.ts";
import { HubApi } from "../../core/ports/kubernetes/api.ts";
import { makeAuthority, makeServerCertificate } from "../../sim/kubernetes/certificates.ts";
import { serveTls, type TlsServer } from "../../sim/kubernetes/tls.ts";
import { failureOf } from "../support/failure.ts";

/** What is wrong with a server's certificate, over real TLS. */

let server: TlsServer;
afterEach(() => server.close());

const handler = async () => Response.json({ gitVersion: "v1.33.4" });
const tenYears = 3650 * 24 * 60 * 60 * 1000;

async function failure(hosts: string[], { isOld = false, isOther = false } = {}) {
  const authority = await makeAuthority("hub", isOld ? Date.now() - 2 * tenYears : undefined);
  const signer = isOther ? await makeAuthority("hub") : authority;
  const now = isOld ? Date.now() - 2 * tenYears : undefined;
  server = await serveTls(handler, { identity: await makeServerCertificate(signer, hosts, now) });
  const connection = { server: server.url, ca: authority.certificate };
  const api = new HubApi({ connection, wall: systemClock, timeout: 10_000 });
  const error = await failureOf(api.version());
  await api.close();
  return error;
}

it.each([
  ["is not signed by the CA in its kubeconfig", ["127.0.0.1"], { isOther: true }],
  ["has expired", ["127.0.0.1"], { isOld: true }],
  ["is for another host", ["hub.example.com"], {}],
])("a hub's certificate %s", async (words, hosts, how) => {
  expect(await failure(hosts, how)).toMatchObject({
    ...{ kind: "Unavailable", message: `the certificate of the hub ${words}` },
  });
});

it("another system's certificate is not signed by a trusted authority", async () => {
  const identity = await makeServerCertificate(await makeAuthority("dns"), ["127.0.0.1"]);
  server = await serveTls(handler, { identity });
  const options = { system: "the DNS server", url: server.url, wall: systemClock, timeout: 10_000 };
  expect(await failureOf(ask(options, { method: "GET", path: "/" }))).toMatchObject({
    message: "the certificate of the DNS server is not signed by a trusted authority",
  });
});
