import { expect, it } from "vitest";
import { metaData, phoningHome } from "../../../core/machine/cloud-init.ts";
import { callsOf, instanceIn } from "../../../sim/net-boot/cloud-init.ts";

const url = "http://boot.sim/site/v1/phone-home/t0k3n";
const seed = (userData = "") => ({
  "meta-data": metaData({ instanceId: "i1", hostname: "web", keys: ["ssh-ed25519 AAAA me"] }),
  "user-data": userData,
  "vendor-data": phoningHome({ instanceId: "i1", url }),
});

it("reports the first start with the machine's keys, and each start by a script", () => {
  expect(instanceIn(seed())).toBe("i1");
  const [form, call] = callsOf(seed(), true);
  expect(form).toMatchObject({ url, type: "application/x-www-form-urlencoded" });
  expect(Object.fromEntries(new URLSearchParams(form?.body))).toMatchObject({
    instance_id: "i1",
    hostname: "web",
    pub_key_rsa: "ssh-rsa AAAAi1 root@web",
  });
  expect(call).toEqual({ url, type: "application/json", body: '{"instance_id":"i1"}' });
  expect(callsOf(seed(), false)).toEqual([call]);
});

it("what the user says of the module counts; the script reports all the same", () => {
  const other = "#cloud-config\nphone_home: {url: 'http://mine.example/', post: all}\n";
  expect(callsOf(seed(other), true).map((call) => call.url)).toEqual(["http://mine.example/", url]);
});

it.each([["$NAME"], [["$", "{NAME}"].join("")]])(
  "the module fails at the URL with %s in it",
  (name) => {
    const other = `#cloud-config\nphone_home: {url: 'http://mine.example/${name}', post: all}\n`;
    expect(() => callsOf(seed(other), true)).toThrow("phone_home: KeyError: 'NAME'");
  },
);
