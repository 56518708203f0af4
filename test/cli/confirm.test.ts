import { expect, it } from "vitest";
import { apiCommands } from "../../cli/api/commands.ts";
import { declaredActions } from "../../cli/api/declared.ts";
import { destroys } from "../../cli/api/destroys.ts";
import { type ApiOperation, operations } from "../../cli/api/operations.ts";
import { everyCommand, programOf } from "../../cli/program.ts";
import { openSite } from "../support/site.ts";
import { terminalAt } from "../support/terminal.ts";

/** What cannot be had back is asked about before. */

/** Operations beside the actions of kinds that leave what was there. */
const keeping = /\.(create|batch|pause|resume|report)$/;

/** The actions that destroy, written a second time. */
const destroying = [
  "baremetal_instance.force",
  "baremetal_instance.reinstall",
  "baremetal_instance.release",
  "cluster.revoke",
  "dpu.accept_identity",
  "host.accept_identity",
  "host.reprovision",
  "host.retire",
];

it("every operation is known to destroy or to keep", () => {
  const isAction = ({ id }: ApiOperation) => declaredActions.has(id.replace(/^\w+\./, ""));
  const changes = operations().filter(({ method }) => /POST|DELETE/.test(method));
  for (const operation of changes.filter((each) => !isAction(each)))
    expect(destroys(operation), operation.id).toBe(!keeping.test(operation.id));
  const ids = changes.filter((each) => isAction(each) && destroys(each)).map(({ id }) => id);
  expect([...new Set(ids.map((id) => id.replace(/^\w+\./, "")))].toSorted()).toEqual(destroying);
});

it("the commands that destroy have --yes, and no others", () => {
  const asking = apiCommands()
    .filter((each) => [each.public, each.private].some((one) => one && destroys(one)))
    .map(({ words }) => words.join(" "));
  const having = everyCommand(programOf(async () => {})).flatMap((each) =>
    each.options.some(({ long }) => long === "--yes")
      ? [`${each.parent?.name()} ${each.name()}`]
      : [],
  );
  expect(having.toSorted()).toEqual([...asking, "slipway api"].toSorted());
  expect(asking.length).toBeGreaterThan(30);
});

const siteWithDemo = async () => {
  const site = await openSite();
  await site.settled(await site.order("demo"));
  return site;
};

it("without a terminal a deletion needs --yes; a dry run does not", async () => {
  const site = await siteWithDemo();
  const { slipway } = terminalAt(site);
  expect(await slipway("cluster delete demo")).toMatchObject({
    exit: 2,
    out: "",
    err: expect.stringContaining("it needs --yes"),
  });
  expect((await slipway("cluster get demo -o json")).out).toContain("CLUSTER_STATE_READY");
  expect(await slipway("cluster delete demo --dry-run")).toMatchObject({ exit: 0 });
  expect((await slipway("cluster get demo -o json")).out).toContain("CLUSTER_STATE_READY");
  expect(await slipway("cluster delete demo --yes")).toMatchObject({ exit: 0 });
  expect((await slipway("cluster get demo -o json")).out).toContain("CLUSTER_STATE_DELETING");
});

it("on a terminal it shows what goes, and goes on when the name is typed", async () => {
  const site = await siteWithDemo();
  for (const answers of [["y"], [""], ["dem"], []]) {
    const refused = await terminalAt(site, { answers }).slipway("cluster delete demo");
    expect(refused).toMatchObject({ exit: 2, out: "" });
    expect(refused.err).toMatch(
      /demo .*READY[\s\S]*released: 2 hosts of workers, its network[\s\S]*Type demo to delete the cluster: not confirmed; nothing was changed\n$/,
    );
  }
  const { slipway } = terminalAt(site, { answers: ["demo"] });
  expect((await slipway("cluster get demo -o json")).out).toContain("CLUSTER_STATE_READY");
  expect(await slipway("cluster delete demo")).toMatchObject({ exit: 0 });
  expect(await slipway("cluster delete nothing")).toMatchObject({ exit: 1 });
});

it("a raw request that destroys asks as its command does, and others ask nothing", async () => {
  const site = await siteWithDemo();
  const { slipway } = terminalAt(site);
  const { out } = await slipway("cluster get demo -o json");
  const path = `/api/private/v1/clusters/${JSON.parse(out).id}`;
  const refused = { exit: 2, out: "", err: expect.stringContaining("it needs --yes") };
  expect(await slipway(`api DELETE ${path}`)).toMatchObject(refused);
  expect(await slipway(`api delete ${path}?dry_run=false`)).toMatchObject(refused);
  expect(await slipway("api POST /api/private/v1/hosts/fc430-a-01/retire")).toMatchObject(refused);
  expect(await slipway("api DELETE /api/private/v2/what-is-to-come/x")).toMatchObject(refused);
  expect((await slipway("cluster get demo -o json")).out).toContain("CLUSTER_STATE_READY");
  expect(await slipway(`api DELETE ${path}?dry_run=true`)).toMatchObject({ exit: 0 });
  expect((await slipway("api POST /api/private/v1/hosts/nothing/retry")).err).toContain(
    "Not found",
  );
  const typed = await terminalAt(site, { answers: ["demo"] }).slipway(`api DELETE ${path}`);
  expect(typed).toMatchObject({
    exit: 0,
    err: expect.stringContaining("Type demo to delete the cluster: "),
  });
  expect((await slipway("cluster get demo -o json")).out).toContain("CLUSTER_STATE_DELETING");
  const yes = await slipway(`api DELETE ${path} --yes`);
  expect(yes.err).not.toContain("needs --yes");
});
