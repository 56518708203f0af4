import { describe, expect, it } from "vitest";
import { type Attention, cardsOf, remedyOf } from "../../console/src/operator/attention.ts";
import { attentionReasons } from "../../core/reconcile/status/schema.ts";

/** The cards of what needs attention. */

const entry = (reason: Attention["reason"], more: Partial<Attention> = {}): Attention => ({
  ...{ reason, kind: "host", id: "h1", name: "one", tenant: "shared" },
  ...{ message: "why", since: "2026-11-29T12:00:00Z", command: "slipway host get one" },
  ...more,
});

describe("the cards", () => {
  it("keep the order of the list", () => {
    const list = [entry("HubUnreachable"), entry("OperationStuck"), entry("WebhookFailing")];
    expect(cardsOf(list).map(({ title }) => title)).toEqual([
      "Hub one is unreachable",
      "Stuck: host one",
      "Webhook one fails",
    ]);
  });

  it("join what has one cause", () => {
    const list = ["a", "b"].map((id) => entry("HostQuarantined", { id, name: id, message: id }));
    const [card, ...more] = cardsOf(list);
    expect([card?.title, card?.entries, more]).toEqual(["2 hosts are quarantined", list, []]);
  });

  it("join operations only if they wait for the same", () => {
    const list = ["x", "y", "x"].map((message, n) =>
      entry("OperationStuck", { id: `${n}`, name: `${n}`, kind: "baremetal_instance", message }),
    );
    expect(cardsOf(list).map(({ title }) => title)).toEqual([
      "2 operations are stuck",
      "Stuck: server 1",
    ]);
  });

  it("name an object without a name by its id", () => {
    expect(cardsOf([entry("HostQuarantined", { name: "" })])[0]?.title).toBe(
      "Host h1 is quarantined",
    );
  });

  it.each(attentionReasons)(
    "have words for %s, of one and of several, and say what to do",
    (reason) => {
      const [one] = cardsOf([entry(reason)]);
      const [many] = cardsOf([entry(reason), entry(reason, { id: "h2" })]);
      expect(one?.title).toMatch(/^[A-Z].*one/);
      expect(many?.title).toMatch(/2/);
      expect(one?.advice).toMatch(/^[A-Z].*\.$/);
    },
  );

  it("are mild while nothing is stopped yet", () => {
    const mild = attentionReasons.filter((reason) => !cardsOf([entry(reason)])[0]?.isSevere);
    expect(mild).toEqual(["OperationStalled", "WebhookFailing", "CertificateEnds"]);
  });
});

const at = "/api/private/v1";
it.each<[string, Attention, ReturnType<typeof remedyOf>]>([
  [
    "resumes a stuck operation",
    entry("OperationStuck", { operation: "o1" }),
    { name: "Resume", path: `${at}/operations/o1/resume` },
  ],
  ["cannot resume an operation that is not named", entry("OperationStuck"), undefined],
  ["retries a host", entry("HostQuarantined"), { name: "Retry", path: `${at}/hosts/h1/retry` }],
  [
    "retries a DPU",
    entry("DpuQuarantined", { kind: "dpu" }),
    { name: "Retry", path: `${at}/dpus/h1/retry` },
  ],
  [
    "renews a cluster's certificate",
    entry("CertificateEnds", { kind: "cluster" }),
    { name: "Renew", path: `${at}/clusters/h1/retry` },
  ],
  [
    "renews a cluster's ended certificate",
    entry("CertificateEnded", { kind: "cluster" }),
    { name: "Renew", path: `${at}/clusters/h1/retry` },
  ],
  [
    "leaves a site's certificate to its owner",
    entry("CertificateEnds", { kind: "site" }),
    undefined,
  ],
  ["cannot reach a hub for people", entry("HubUnreachable", { kind: "hub" }), undefined],
])("a card's button %s", (_, of, remedy) => {
  expect(remedyOf(of)).toEqual(remedy);
});
