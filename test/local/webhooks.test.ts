import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, it, onTestFinished } from "vitest";
import { sharedDev, until } from "../support/dev-process.ts";
import { verified } from "../support/standard-webhooks.ts";

/** A receiver on this machine, of the laptop's Slipway. */

const slipway = sharedDev();

interface Got {
  headers: Record<string, string>;
  body: string;
}

async function receiver(): Promise<{ url: string; got: Got[] }> {
  const got: Got[] = [];
  const server = createServer((request, response) => {
    let body = "";
    request.on("data", (chunk) => {
      body += chunk;
    });
    request.on("end", () => {
      got.push({ headers: request.headers as Record<string, string>, body });
      response.end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, got };
}

it("is sent what happens to an order, signed, in its order", async () => {
  const { api, order, succeeded } = slipway();
  const { url, got } = await receiver();
  const spec = { url, event_types: ["slipway.cluster.*"] };
  const { status, body } = await api("POST", "webhooks", { metadata: { name: "hook" }, spec });
  expect(status, JSON.stringify(body)).toBe(200);
  const { id, operation } = await order("one");
  await succeeded(operation);
  const events = () => got.map((each) => JSON.parse(each.body));
  await until(() => events().some(({ type }) => type === "slipway.cluster.ready.v1"), "ready");
  expect(events().map(({ subject }) => subject)).toEqual(got.map(() => `clusters/${id}`));
  expect(events().map(({ sequence }) => sequence)).toEqual(got.map((_, n) => n + 1));
  for (const each of got) expect(await verified(each, body.spec.secret, Date.now())).toBe(true);
});

it("may be on this machine, not in the network around it", async () => {
  const { api } = slipway();
  for (const url of ["http://10.0.0.1/", "https://169.254.169.254/"]) {
    const answer = await api("POST", "webhooks", { metadata: { name: "bad" }, spec: { url } });
    expect(answer.status).toBe(400);
  }
});
