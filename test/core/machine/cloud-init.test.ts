import { expect, it } from "vitest";
import { metaData } from "../../../core/machine/cloud-init.ts";
import { readConfig } from "../../../sim/net-boot/cloud-init.ts";

// PyYAML, which cloud-init reads with, takes a plain one of these for a boolean, a number or a date.
it.each(["no", "off", "on", "yes", "y", "0b101", "0400", "1e3", "2026-11-28", "null", "web-1"])(
  "a machine named %s learns its name from its seed",
  (hostname) => {
    const seed = metaData({ instanceId: "0123", hostname, keys: [] });
    expect(readConfig(seed)).toEqual({ "instance-id": "0123", "local-hostname": hostname });
  },
);
