import { expect, it } from "vitest";
import { placeIn } from "../../console/src/session/place.ts";

it.each([
  ["/clusters/1?tab=yaml", "/clusters/1?tab=yaml"],
  ["/", "/"],
  ["/.//evil.example/x", "/evil.example/x"],
  ["/.///evil.example", "/evil.example"],
  ["/./\\evil.example/x?a=//b", "/evil.example/x?a=//b"],
])("an address that ends in %s is the place %s of the console itself", (path, place) => {
  const origin = "https://console.example.com";
  expect(placeIn(new URL(origin + path))).toBe(place);
  expect(new URL(placeIn(new URL(origin + path)), origin).origin).toBe(origin);
});
