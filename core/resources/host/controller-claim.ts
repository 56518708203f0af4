import { isKind, type Violation } from "../../error.ts";
import { controllerAtKey, controllerKey } from "../../kernel/object/keys.ts";
import { absent, eq, type Item, type Store, type Write } from "../../kernel/store/store.ts";
import { namesService, parseServerAddress } from "../../ports/bare-metal/address.ts";

/**
 * The claim of a management controller, by what its address means: where the controller is, whatever the scheme and the
 * spelling, and which of its systems. An address without a system means the only one, so it claims the whole controller.
 * Beside it there is a claim by the text of the address, which was the only one in former days: a server that was
 * registered then has the other one from its next change on.
 */

/** Who has a controller, by its kind. */
export type Having = { host: string } | { dpu: string };

interface Place {
  /** Host and port, without the port that the scheme means. */
  at: string;
  /** Absent for the whole controller. */
  system?: string;
}

const whole = "*";

/** The system of a holder, which former code kept in the spelling of its address. */
function systemOf(spelled: string): string {
  if (spelled === whole) return whole;
  const place = parseServerAddress(`redfish://controller${spelled}`);
  return (place.by === "redfish" && place.system) || whole;
}

/** Where claims of a controller are: at its host, and where former code had those of a name with a dot at its end. */
function claimsAt(at: string): string[] {
  const [, name, port = ""] = /^([^:[\]]*[a-z_-])(:\d+)?$/.exec(at) ?? [];
  return name === undefined ? [at] : [at, `${name}.${port}`];
}

/** What an address means; undefined for a server at a service, and for one that nobody can read. */
function placeOf(address: string | undefined): Place | undefined {
  if (address === undefined || namesService(address)) return undefined;
  try {
    const place = parseServerAddress(address);
    if (place.by !== "redfish") return undefined;
    const { host } = new URL(place.url);
    return { at: host, ...(place.system !== undefined && { system: place.system }) };
  } catch (error) {
    if (!isKind(error, "Invalid")) throw error;
    return undefined;
  }
}

/** The holders of a controller's systems, as its item has them. */
type Holders = Readonly<Record<string, Readonly<Record<string, string>>>>;
/** The store knows no shapes of items; `heldBy` alone writes this one. */
const holdersIn = (item: Item | undefined): Holders =>
  (item?.holders as unknown as Holders | undefined) ?? {};

/**
 * The writes by which a host or a DPU has the controller at `has`, and no more the one at `had`. Adds a violation where
 * another has it.
 */
export async function controllerClaims(
  store: Store,
  who: Having,
  had: string | undefined,
  has: string | undefined,
  violations: Violation[],
): Promise<Write[]> {
  const [kind, id] = "host" in who ? ["host", who.host] : ["dpu", who.dpu];
  const isOwn = (holder: Readonly<Record<string, unknown>>) => holder[kind] === id;
  const [before, after] = [placeOf(had), placeOf(has)];
  const places = [
    ...new Set([before, after].flatMap((place) => (place ? claimsAt(place.at) : []))),
  ];
  // In one round with the other claims; of an address that stays, only where it lacks its claim by meaning.
  const isNew = has !== undefined && had !== has;
  const [claims, former] = await Promise.all([
    store.getMany(places.map(controllerAtKey)),
    isNew ? byText(store, has, after, isOwn) : undefined,
  ]);
  const items = new Map(claims.map((item, n) => [places[n] ?? "", item]));
  const holders = (after ? claimsAt(after.at) : []).flatMap((at) =>
    Object.entries(holdersIn(items.get(at))),
  );
  const others = holders.filter(([, holder]) => !isOwn(holder));
  const system = after?.system ?? whole;
  const isKnown = had === has && holders.some(([, holder]) => isOwn(holder));
  const inTheWay =
    after &&
    others.find(([spelled]) => {
      const other = systemOf(spelled);
      return other === system || [other, system].includes(whole);
    });
  const holder =
    inTheWay?.[1] ??
    former ??
    (has === undefined || isNew || isKnown ? undefined : await byText(store, has, after, isOwn));
  if (holder) {
    const other = holder.dpu === undefined ? "host" : "DPU";
    violations.push({ field: "spec.bmc.address", message: `belongs to another ${other}` });
    return [];
  }
  return [
    ...(had === undefined || had === has ? [] : [{ delete: controllerKey(had), if: eq(kind, id) }]),
    ...(isNew ? [{ put: { ...controllerKey(has), [kind]: id }, if: absent }] : []),
    ...places.flatMap((at) => {
      const rest = Object.entries(holdersIn(items.get(at))).filter(([, each]) => !isOwn(each));
      const own = after?.at === at ? [[system, { [kind]: id }] as const] : [];
      return heldBy(at, items.get(at), Object.fromEntries([...rest, ...own]));
    }),
  ];
}

/** The write by which these hold the systems of a controller; none where they do. */
function heldBy(at: string, item: Item | undefined, holders: Holders): Write[] {
  const key = controllerAtKey(at);
  const is = JSON.stringify(sorted(holders));
  if (is === JSON.stringify(sorted(holdersIn(item)))) return [];
  const revision = Number(item?.revision ?? 0);
  const same = item ? eq("revision", revision) : absent;
  if (is === "[]") return [{ delete: key, if: same }];
  return [{ put: { ...key, holders: { ...holders }, revision: revision + 1 }, if: same }];
}

const sorted = (holders: Holders) =>
  Object.entries(holders).toSorted(([a], [b]) => (a < b ? -1 : 1));

/** Schemes that mean the same controller. */
const schemes = {
  https: [
    ...[
      "redfish",
      "REDFISH",
      "redfish+https",
      "redfish-virtualmedia",
      "redfish-virtualmedia+https",
    ],
    ...["redfish-uefihttp", "idrac-redfish", "ilo5-redfish", "https"],
  ],
  http: ["redfish+http", "redfish-virtualmedia+http", "redfish-uefihttp+http", "http"],
} as const;
const rootPaths = ["", "/", "/redfish/v1", "/redfish/v1/"];
/** Systems that most controllers have, for an address that names none. */
const usualSystems = ["/redfish/v1/Systems/1", "/redfish/v1/Systems/System.Embedded.1"];

/**
 * Who has the controller by the text of an address, in this spelling or in a usual one: of a server that was registered
 * when text was all that counted.
 */
async function byText(
  store: Store,
  address: string,
  place: Place | undefined,
  isOwn: (holder: Item) => boolean,
): Promise<Item | undefined> {
  const texts = [...new Set([address, ...(place ? spellingsOf(place) : [])])];
  const claims = await store.getMany(texts.map(controllerKey));
  return claims.find((claim) => claim !== undefined && !isOwn(claim));
}

function spellingsOf({ at, system }: Place): string[] {
  const systems = system === undefined ? usualSystems : [system];
  const paths = [...rootPaths, ...systems.flatMap((each) => [each, `${each}/`])];
  const hasPort = /:\d+$/.test(at);
  const spelled = (names: readonly string[], places: readonly string[]) =>
    names.flatMap((name) =>
      places.flatMap((there) => paths.map((path) => `${name}://${there}${path}`)),
    );
  return [
    ...spelled(schemes.https, hasPort ? [at] : [at, `${at}:443`]),
    ...spelled(schemes.http, hasPort ? [at] : [at, `${at}:80`]),
  ];
}
