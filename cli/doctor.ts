import { timeText } from "../core/clock.ts";
import manifest from "../package.json" with { type: "json" };
import { expiryOf } from "./api/area.ts";
import { type CliCall, connect } from "./call.ts";
import type { Client } from "./client.ts";
import { CliFailure, type Exit, exits } from "./exit.ts";
import { columnNameOf } from "./output/columns.ts";
import { at, list, shown, text } from "./output/values.ts";

/** `slipway doctor`: whether this computer can use this Slipway, one check per line. */

const day = 86_400_000;

export async function doctor(call: CliCall): Promise<Exit> {
  const { around } = call;
  const { client, area } = connect(call);
  let worst: Exit = exits.done;
  const say = (outcome: "ok" | "bad", what: string) =>
    around.out.write(`${outcome.padEnd(4)} ${what}\n`);
  const check: Check = async (what: string, work: () => Promise<string>) => {
    try {
      const found = await work();
      say("ok", `${what}${found && `: ${found}`}`);
      return true;
    } catch (error) {
      if (!(error instanceof CliFailure)) throw error;
      worst = worst === exits.done ? error.exit : worst;
      say("bad", `${what}: ${[error.message, ...error.details].join("; ")}`);
      return false;
    }
  };
  const { url } = client.endpoint;
  if (!(await check(`${url} answers`, async () => status((await client.get("/healthz")).body))))
    return worst;
  await check("this command is of the same release", async () => {
    const theirs = at((await client.get("/api/fulfillment/v1/capabilities")).body, "version");
    if (theirs === manifest.version) return manifest.version;
    throw new CliFailure(
      exits.refused,
      `it is ${manifest.version}, and Slipway is ${shown(theirs)}`,
    );
  });
  await check("it accepts the token", async () => {
    const path = area === "private" ? "/api/private/v1/tenants" : "/api/fulfillment/v1/clusters";
    await client.get(path, { limit: "1" });
    return `as ${area === "private" ? "the provider" : "a tenant"}`;
  });
  await check("the token is valid for some time", async () => {
    const end = expiryOf(client.endpoint.token);
    if (end === undefined) return "it does not say when it ends";
    const left = end - around.now();
    if (left < 0)
      throw new CliFailure(exits.loggedOut, "it has ended", { details: ["slipway login"] });
    return left > day ? "" : `until ${timeText(end)}`;
  });
  if (area === "private") await checkSystems(client, check);
  return worst;
}

type Check = (what: string, work: () => Promise<string>) => Promise<boolean>;

/** The systems that Slipway uses: hubs, their agents, and the systems of sites. */
async function checkSystems(client: Client, check: Check): Promise<void> {
  const [hubs, sites] = await Promise.all(
    ["hubs", "sites"].map(async (plural) => {
      const { body } = await client.get(`/api/private/v1/${plural}`, { limit: "1000" });
      return list(at(body, "items"));
    }),
  );
  await check("every hub is reachable and reports", async () => {
    const { body } = await client.get("/api/private/v1/status");
    const lost = Number(at(body, "hubs.unreachable"));
    if (lost > 0)
      throw new CliFailure(exits.refused, `${lost} are not`, { details: ["slipway status"] });
    return `${at(body, "hubs.ready")} of ${at(body, "hubs.total")} ready`;
  });
  await check("their agents have the same release", async () => {
    const versions = Map.groupBy(hubs ?? [], (hub) => shown(at(hub, "status.agent_version")));
    versions.delete("");
    if (versions.size <= 1) return [...versions.keys()].join("");
    const told = [...versions].map(
      ([version, of]) => `${version} on ${of.map(columnNameOf).join(", ")}`,
    );
    throw new CliFailure(exits.refused, "they are not", { details: told });
  });
  await check("every stored object follows today's rules", async () => {
    const { judged, invalid, rest } = await invalidObjects(client);
    const upTo = rest === undefined ? `${judged} checked` : `the first ${judged} checked`;
    if (invalid.length === 0) return upTo;
    const more =
      rest === undefined ? [] : [`more: slipway invalid-object list --page-token ${rest}`];
    throw new CliFailure(exits.refused, `${invalid.length} do not, ${upTo}`, {
      details: [...invalid, ...more],
    });
  });
  await check("every system of every site answers", async () => {
    const away = (sites ?? []).flatMap((site) =>
      list(at(site, "status.systems")).flatMap((system) => {
        const since = at(system, "away_since");
        const what = `${shown(at(system, "system"))} of ${columnNameOf(site)}`;
        return since === undefined
          ? []
          : [`${what}, since ${shown(since)}: ${shown(at(system, "message"))}`];
      }),
    );
    if (away.length > 0)
      throw new CliFailure(exits.refused, `${away.length} do not`, { details: away });
    return `${sites?.length ?? 0} sites`;
  });
}

/** The most pages of invalid objects that one run reads: four thousand objects. */
const mostPages = 20;

/** The faults for which stored objects would be refused today, and where to continue. */
async function invalidObjects(client: Client) {
  let judged = 0;
  let token: string | undefined;
  const invalid: string[] = [];
  for (let page = 0; page < mostPages; page++) {
    const { body } = await client.get("/api/private/v1/invalid_objects", {
      limit: "200",
      ...(token !== undefined && { page_token: token }),
    });
    judged += Number(at(body, "judged"));
    invalid.push(...list(at(body, "items")).map(faultsIn));
    token = text(at(body, "next_page_token")) || undefined;
    if (token === undefined) break;
  }
  return { judged, invalid, rest: token };
}

/** The faults of an object, such as `host blade-7: spec.bmc.address must …; spec.nics[0].mac must …`. */
function faultsIn(object: unknown): string {
  const faults = list(at(object, "violations")).map(
    (each) => `${shown(at(each, "field"))} ${shown(at(each, "message"))}`,
  );
  return `${shown(at(object, "kind")).replaceAll("_", " ")} ${shown(at(object, "name"))}: ${faults.join("; ")}`;
}

const status = (body: unknown): string => text(at(body, "status"));
