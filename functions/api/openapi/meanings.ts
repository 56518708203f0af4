import { type Kind, typeNameOf } from "../../../core/kernel/object/object.ts";
import { documentationOf } from "../../../core/kernel/request/documentation.ts";
import { documentations } from "../../../core/resources/generated/documentations.ts";
import { kindNames } from "../registry.ts";
import type { Description } from "./schemas.ts";

/** The description of each schema of the document. */

/** The schemas, each beginning with its description. Throws for a schema without one. */
export const withMeanings = (schemas: Record<string, Description>): Record<string, Description> =>
  Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => [
      name,
      { description: meaningOf(name), ...schema },
    ]),
  );

/** A kind with its article, such as `an external ip pool`. */
const oneOf = (kind: Kind): string =>
  `${/^[aeio]/.test(kind) ? "an" : "a"} ${kind
    .replaceAll("_", " ")
    .replace(/\bip\b/, "IP")
    .replace("nat ", "NAT ")
    .replace(/^dpu$/, "DPU")}`;

const ofKinds = new Map(
  kindNames.flatMap((kind) => {
    const type = typeNameOf(kind);
    const one = oneOf(kind);
    const { meaning } = documentationOf(documentations, kind);
    const answered = `${one[0]?.toUpperCase()}${one.slice(1)}, as it is answered`;
    return [
      [type, `${answered}. ${meaning}`],
      [`Private${type}`, `${answered} to the provider. ${meaning}`],
      [`${type}Input`, `What ${one} is made of.`],
      [`${type}Change`, `What is changed of ${one}: whatever is left out stays as it is.`],
    ] as const;
  }),
);

const others: Record<string, string> = {
  AuditChain: "A chain of the audit: how long it is, and the digest of its last entry.",
  AuditEntry: "Who asked for what, from where, and what came of it.",
  BaremetalInstanceBatch: "Several servers that are ordered at once: all of them or none.",
  BaremetalInstanceConsent: "When a server may be off for what its provider asks.",
  BaremetalInstanceForce: "How a server is removed that nothing answers for.",
  BaremetalInstanceRelease: "What is wrong with a server that its tenant releases.",
  Capabilities: "What this deployment serves, and whose tokens it accepts.",
  Capacity: "The resources that run out next, and how many operations wait for them.",
  Credential: "A certificate that was issued for a cluster; neither it nor its key is shown again.",
  CredentialRequest: "The key to certify, as a signing request.",
  Delivery: "An event on its way to a webhook: how often it was sent, and what was answered.",
  DrainPlan: "What stands on a hub, and where there is room for it.",
  Empty: "An object without members.",
  Event: "A change, as a CloudEvent.",
  HistoryEntry: "An event of an object's past, and who brought it about.",
  Holding: "Who has a thing that has one owner at a time.",
  HostHealth: "What a source says of a host's health.",
  HostMaintain: "Why a host is taken out of the pool.",
  HostOverride: "A person's word on a host's health, above that of its sources.",
  HubReport: "What a hub's agent has seen change.",
  Id: "The id of an object.",
  IssuedCredential: "A new certificate, with the kubeconfig that it goes into.",
  Metadata: "What every object has: its name, labels, tenant and version.",
  MetadataChange: "What is changed of an object's metadata: whatever is left out stays as it is.",
  MetadataInput:
    "The metadata of a new object; what the API sets itself may be sent back, and does not count.",
  Problem: "Why a request was refused (RFC 9457).",
  Reference: "Another object, by its id and its name.",
  ReferenceInput: "Another object, by its id or its name.",
  Revocation: "How far it is to make the certificates of a cluster invalid.",
  SiteNumbers: "A page of the numbers of a site's pool, each with who has it.",
  Status: "The state of everything at once.",
  Switch: "Whether something is paused for everybody, since when, by whom and why.",
  Wait: "What something waits for, since when, and in which words.",
  WatchEvent: "An event, as a watch answers it.",
  WebhookReplay: "Which events are to be delivered once more.",
};

function meaningOf(name: string): string {
  const listed = name.endsWith("List") ? name.slice(0, -"List".length) : undefined;
  const meaning = ofKinds.get(name) ?? others[name];
  if (meaning !== undefined) return meaning;
  if (listed === undefined) throw new Error(`the schema ${name} has no description`);
  return `A page of a list. ${meaningOf(listed)}`;
}
