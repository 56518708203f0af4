import { payloadOf } from "./api/area.ts";
import { type Call, connect } from "./call.ts";
import { type Exit, exits, Failure } from "./exit.ts";
import { at, text } from "./output/values.ts";

/** `slipway doctor`: whether this machine can work with this Slipway, one check a line. */

const day = 86_400_000;

export async function doctor(call: Call): Promise<Exit> {
  const { around } = call;
  const { client, area } = connect(call);
  let worst: Exit = exits.done;
  const say = (outcome: "ok" | "bad", what: string) =>
    around.out.write(`${outcome.padEnd(4)} ${what}\n`);
  const check = async (what: string, work: () => Promise<string>) => {
    try {
      const found = await work();
      say("ok", `${what}${found && `: ${found}`}`);
      return true;
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      worst = worst === exits.done ? error.exit : worst;
      say("bad", `${what}: ${[error.message, ...error.details].join("; ")}`);
      return false;
    }
  };
  const { url } = client.endpoint;
  if (!(await check(`${url} answers`, async () => status((await client.get("/healthz")).body))))
    return worst;
  await check("it takes the token", async () => {
    const path = area === "private" ? "/api/private/v1/tenants" : "/api/fulfillment/v1/clusters";
    await client.get(path, { limit: "1" });
    return `as ${area === "private" ? "the provider" : "a tenant"}`;
  });
  await check("the token is good for some time", async () => {
    const end = expiryOf(payloadOf(client.endpoint.token));
    if (end === undefined) return "it does not say when it ends";
    const left = end - around.now();
    if (left < 0)
      throw new Failure(exits.loggedOut, "it has ended", { details: ["slipway login"] });
    return left > day ? "" : `until ${new Date(end).toISOString()}`;
  });
  if (area === "private")
    await check("every hub is reached and heard", async () => {
      const { body } = await client.get("/api/private/v1/status");
      const lost = Number(at(body, "hubs.unreachable"));
      if (lost > 0)
        throw new Failure(exits.refused, `${lost} are not`, { details: ["slipway status"] });
      return `${at(body, "hubs.ready")} of ${at(body, "hubs.total")} ready`;
    });
  return worst;
}

const status = (body: unknown): string => text(at(body, "status"));

function expiryOf(payload: string): number | undefined {
  const [, seconds] = /"exp":\s*(\d+)/.exec(payload) ?? [];
  return seconds === undefined ? undefined : Number(seconds) * 1000;
}
