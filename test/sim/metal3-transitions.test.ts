import { describe, expect, it } from "vitest";
import * as z from "zod";
import { minutes } from "../../core/clock.ts";
import type { KubeObject } from "../../sim/kubernetes/cluster.ts";
import { metal3Fixture } from "../core/ports/bare-metal/metal3/fixture.ts";

/**
 * What Metal3's own operator did on a real API server (baremetal-operator's main branch of August 2026, with its fixture
 * provisioner), and what its state machine says where the run did not come to it. The simulated operator does the same.
 */

const reboot = "reboot.metal3.io";
const detached = "baremetalhost.metal3.io/detached";
const paused = "baremetalhost.metal3.io/paused";
const image = (name = "one") => ({
  image: { url: `https://images.test/${name}.iso`, format: "live-iso" },
});

/** A change of the object, as its consumer makes it. */
type Change = [spec: object, annotations?: Record<string, string>];

interface Transition {
  /** What was so before, each change with what follows from it. */
  given?: Change[];
  change: Change;
  /** The states from the change on, that at its time first. */
  states: string[];
  /** The power from the change on, that at its time first. */
  power: ("on" | "off")[];
  /** What the operator leaves of the annotations; those of the change by default. */
  left?: string[];
  /** "OK" by default. */
  operational?: string;
}

const running: Change = [{ online: true }];
const provisioned: Change = [{ online: true, ...image() }];
const hard = JSON.stringify({ mode: "hard" });
const forced = JSON.stringify({ mode: "hard", force: true });

const transitions: Record<string, Transition> = {
  "a claim": {
    change: [{ consumerRef: { name: "host-1" } }],
    ...{ states: ["available"], power: ["off"] },
  },
  "power on": { change: running, states: ["available"], power: ["off", "on"] },
  "power off": {
    ...{ given: [running], change: [{ online: false }] },
    ...{ states: ["available"], power: ["on", "off"] },
  },
  "an image for a host that is to be off": {
    change: [image()],
    ...{ states: ["available"], power: ["off"] },
  },
  "an image": {
    change: provisioned,
    ...{ states: ["available", "provisioning", "provisioned"], power: ["off", "on"] },
  },
  "another image": {
    ...{ given: [provisioned], change: [image("two")] },
    states: ["provisioned", "deprovisioning", "available", "provisioning", "provisioned"],
    power: ["on", "off", "on"],
  },
  "a reboot of a provisioned host": {
    ...{ given: [provisioned], change: [{}, { [reboot]: hard }] },
    ...{ states: ["provisioned"], power: ["on", "off", "on"], left: [] },
  },
  "a reboot of an available host, which is ignored": {
    ...{ given: [running], change: [{}, { [reboot]: hard }] },
    ...{ states: ["available"], power: ["on"] },
  },
  "a forced reboot of an available host": {
    ...{ given: [running], change: [{}, { [reboot]: forced }] },
    ...{ states: ["available"], power: ["on", "off", "on"], left: [] },
  },
  "a reboot of a host that is off, which is forgotten": {
    change: [{}, { [reboot]: hard }],
    ...{ states: ["available"], power: ["off"], left: [] },
  },
  "a reboot that nobody can read, of an available host": {
    ...{ given: [running], change: [{}, { [reboot]: "now" }] },
    ...{ states: ["available"], power: ["on"] },
  },
  "a reboot with a name, which keeps the host off": {
    ...{ given: [provisioned], change: [{}, { [`${reboot}/fence`]: "" }] },
    ...{ states: ["provisioned"], power: ["on", "off"] },
  },
  "the end of a reboot with a name": {
    given: [provisioned, [{}, { [`${reboot}/fence`]: "" }]],
    ...{ change: [{}], states: ["provisioned"], power: ["off", "on"] },
  },
  "a host that is let go while it runs": {
    ...{ given: [provisioned], change: [{}, { [detached]: "" }] },
    ...{ states: ["provisioned"], power: ["on"], operational: "detached" },
  },
  "an available host that is let go, to be erased": {
    change: [{}, { [detached]: "" }],
    ...{ states: ["available"], power: ["off"], operational: "detached" },
  },
  "a change of a host that was let go, which is ignored": {
    given: [running, [{}, { [detached]: "" }]],
    change: [{ online: false }, { [detached]: "" }],
    ...{ states: ["available"], power: ["on"], operational: "detached" },
  },
  "a host that is taken back": {
    given: [provisioned, [{}, { [detached]: "" }]],
    change: [{ online: false, image: undefined }],
    states: ["provisioned", "deprovisioning", "available"],
    power: ["on", "off"],
  },
  "giving up": {
    given: [provisioned],
    change: [{ consumerRef: undefined, image: undefined, online: false }],
    states: ["provisioned", "deprovisioning", "available"],
    power: ["on", "off"],
  },
  "a change of a paused host, which is ignored": {
    given: [running, [{}, { [paused]: "" }]],
    change: [{ online: false }, { [paused]: "" }],
    ...{ states: ["available"], power: ["on"] },
  },
};

type Fixture = Awaited<ReturnType<typeof metal3Fixture>>;

interface Seen {
  states: string[];
  power: string[];
  operational: string;
}

const statusSchema = z.object({
  provisioning: z.object({ state: z.string() }),
  poweredOn: z.boolean(),
  operationalStatus: z.string(),
});

/** What the object says of its host from a change on, in the order in which it says it. */
async function watched(at: Fixture, change: () => void): Promise<Seen> {
  const states: string[] = [];
  const power: string[] = [];
  let operational = "";
  const note = (object: KubeObject | undefined) => {
    const status = statusSchema.parse(object?.status);
    const isOn = status.poweredOn ? "on" : "off";
    if (states.at(-1) !== status.provisioning.state) states.push(status.provisioning.state);
    if (power.at(-1) !== isOn) power.push(isOn);
    operational = status.operationalStatus;
  };
  note(at.object());
  const stop = at.cluster.watch("BareMetalHost", ({ object }) => note(object));
  change();
  await at.pass(minutes(8));
  stop();
  return { states, power, operational };
}

describe("Metal3's operator", () => {
  it.each(Object.entries(transitions))("%s", async (_, transition) => {
    const { given = [], change, states, power, left, operational = "OK" } = transition;
    const at = await metal3Fixture();
    for (const [spec, annotations] of given) await watched(at, () => at.change(spec, annotations));
    const seen = await watched(at, () => at.change(...change));
    expect(seen).toEqual({ states, power, operational });
    expect(Object.keys(at.object()?.metadata.annotations ?? {})).toEqual(
      left ?? Object.keys(change[1] ?? {}),
    );
  });
});
