import { globSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";

/** The one visual language of the console, as its tokens and style sheets have it. */

const root = new URL("../../console/src/", import.meta.url);
const sheets = globSync("**/*.css", { cwd: root.pathname }).map((path) => ({
  path,
  text: readFileSync(new URL(path, root), "utf8"),
}));
const style = sheets.find(({ path }) => path === "style.css")?.text ?? "";

const themes = ["light", "dark"] as const;
const tokens = new Map(
  [...style.matchAll(/--([\w-]+): light-dark\((#\w{6}), (#\w{6})\)/g)].map(
    ([, name = "", light = "", dark = ""]) => [name, { light, dark }],
  ),
);

/** The relative luminance of a colour (WCAG 2.2). */
function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const share = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(ink: string, ground: string, theme: (typeof themes)[number]): number {
  const [low = 0, high = 0] = [ink, ground]
    .map((name) => luminance(tokens.get(name)?.[theme] ?? "#808080"))
    .sort((a, b) => a - b);
  return (high + 0.05) / (low + 0.05);
}

const surfaces = ["ground", "raised", "sunk"];
const states = ["ready", "running", "waiting", "stalled", "failed"];
const inks = ["text", "quiet", "accent", ...states];
const tints = [...tokens.keys()].filter((name) => name.endsWith("-tint"));

describe("the look of the console", () => {
  it.each(themes)(
    "has a contrast of 4.5 for text on each surface and its own tint, %s",
    (theme) => {
      const pairs = [
        ...inks.flatMap((ink) => surfaces.map((ground) => [ink, ground] as const)),
        ...["text", "quiet"].flatMap((ink) => tints.map((tint) => [ink, tint] as const)),
        ...["accent", ...states].map((ink) => [ink, `${ink}-tint`] as const),
        ...["accent", "failed"].map((ground) => ["on-accent", ground] as const),
      ];
      const faint = pairs.filter(([ink, ground]) => contrast(ink, ground, theme) < 4.5);
      expect(faint).toEqual([]);
    },
  );

  it.each(themes)("has a contrast of 3 for the frames of fields, %s", (theme) => {
    expect(surfaces.filter((ground) => contrast("edge", ground, theme) < 3)).toEqual([]);
  });

  it("has three sizes of type and three weights", () => {
    const used = (property: string, values: RegExp) =>
      new Set(
        sheets.flatMap(({ path, text }) =>
          [...text.matchAll(new RegExp(`${property}:\\s*([^;]+);`, "g"))]
            .map(([, value = ""]) => value.trim())
            .filter((value) => !values.test(value))
            .map((value) => `${path}: ${value}`),
        ),
      );
    expect(used("font-size", /^(20|13|12)px$/)).toEqual(new Set());
    expect(used("font-weight", /^(400|550|600)$/)).toEqual(new Set());
  });

  it("uses no colour but its tokens", () => {
    const foreign = sheets.flatMap(({ path, text }) =>
      path === "style.css" ? [] : (text.match(/#[0-9a-f]{3,8}\b|rgb\(/gi) ?? []).map(() => path),
    );
    expect(foreign).toEqual([]);
  });
});
