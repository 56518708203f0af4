/** What moto cannot do, by the names of the tests that find it out; AWS can. */
const lacks: Record<string, string> = {
  '{"test":"lt","attribute":"n","value":"9"} does not hold':
    "fails itself on an order across types",
  '{"test":"lt","attribute":"map","value":"z"} does not hold':
    "fails itself on an order across types",
  "are neither above nor below anything in a map": "fails itself on an order across types",
  "refuses an update to over 400 KB, as Internal": "knows no limit of what an update makes",
  "says that a condition failed rather than that the write is wrong":
    "looks at the write before the condition",
  "takes an item of just under 400 KB": "counts more bytes than there are",
  "starts through the alias": "starts nothing through an alias",
  "says that nobody waits under a token that is none": "takes any token",
  "does to random writes what a map does":
    "fails on orders across types, and looks at writes before conditions",
};

/** Why moto cannot pass a test; undefined for another endpoint, and for what it can. */
export async function motoLacks(endpoint: string, test: string): Promise<string | undefined> {
  const reason = lacks[test];
  return reason !== undefined && (await isMoto(endpoint)) ? `moto ${reason}` : undefined;
}

let known: Promise<boolean> | undefined;
export function isMoto(endpoint: string): Promise<boolean> {
  known ??= fetch(new URL("/moto-api/", endpoint)).then(({ ok }) => ok);
  return known;
}
