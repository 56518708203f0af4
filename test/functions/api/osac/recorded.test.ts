import { beforeEach, describe, expect, it } from "vitest";
import { type Api, catalogApi } from "../../../support/api.ts";
import { type Recorded, type Request, recorded, type Told } from "./recorded.ts";

/** Requests whose answers of OSAC's server are known: ours is the same, or what a row of the page says. */

const osac = { Accept: "application/json;profile=osac" };
let api: Api;
beforeEach(async () => {
  api = await catalogApi();
});

const ask = ({ as, method, path, body, headers }: Request, id: string) =>
  api.ask(as, method, path.replace("{id}", id), body, { ...osac, ...headers });

describe.each(byRow())("%s", (_, cases) => {
  it.each(cases.map((each) => [titleOf(each), each] as const))("%s", async (_, each) => {
    let id = "";
    for (const request of each.before ?? []) {
      const answer = await ask(request, id);
      expect(answer.status, answer.text).toBe(200);
      id = answer.body.id ?? id;
    }
    const { status, body, text } = await ask(each.request, id);
    const told: Told = each.ours ?? each.peer;
    expect(status, text).toBe(told.status);
    if (told.code !== undefined) expect(body.code).toBe(told.code);
    if (told.body) expect(body).toMatchObject(told.body);
    for (const path of told.without ?? []) expect(body).not.toHaveProperty(path);
  });
});

function titleOf({ about, request, peer, ours }: Recorded): string {
  const { as, method, path } = request;
  const answers = ours ? `${ours.status} where OSAC has ${peer.status}` : `${peer.status} as OSAC`;
  return `${about === undefined ? "" : `${about}: `}${method} ${path} by ${as} is ${answers}`;
}

function byRow(): [string, Recorded[]][] {
  return [...Map.groupBy(recorded, ({ row }) => row)];
}
