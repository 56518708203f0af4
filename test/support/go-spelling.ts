/**
 * Members of an object whose text Go's types write in another way: an operator that writes the object back whole changes
 * them, and each apply of ours changes them again.
 */
export function misspelt(value: unknown, path = ""): string[] {
  if (typeof value === "string") {
    const spelt = goDuration(value) ?? goQuantity(value);
    return spelt === undefined || spelt === value ? [] : [`${path}: ${value}, by Go ${spelt}`];
  }
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, each]) => misspelt(each, `${path}.${name}`));
}

const units: Record<string, number> = { h: 3600, m: 60, s: 1 };

/** A duration as `time.Duration` writes it, of whole seconds; undefined for anything else. */
function goDuration(text: string): string | undefined {
  if (!/^(\d+[hms])+$/.test(text)) return undefined;
  const parts = [...text.matchAll(/(\d+)([hms])/g)];
  const total = parts.reduce((sum, [, n, unit = ""]) => sum + Number(n) * (units[unit] ?? 0), 0);
  const [hours, minutes, seconds] = [
    Math.floor(total / 3600),
    Math.floor(total / 60) % 60,
    total % 60,
  ];
  if (hours > 0) return `${hours}h${minutes}m${seconds}s`;
  return minutes > 0 ? `${minutes}m${seconds}s` : `${seconds}s`;
}

const suffixes = ["Ki", "Mi", "Gi", "Ti", "Pi", "Ei"];

/** An amount of memory as `resource.Quantity` writes it: with the largest suffix that leaves it whole. */
function goQuantity(text: string): string | undefined {
  const [, digits, suffix = ""] = /^(\d+)([KMGTPE]i)$/.exec(text) ?? [];
  if (digits === undefined) return undefined;
  let [amount, power] = [Number(digits), suffixes.indexOf(suffix)];
  while (amount > 0 && amount % 1024 === 0 && power < suffixes.length - 1) {
    amount /= 1024;
    power += 1;
  }
  return `${amount}${suffixes[power]}`;
}
