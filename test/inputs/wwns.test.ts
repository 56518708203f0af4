import { wwnIn } from "../../core/ports/wwn.ts";
import { judgeInputs } from "./table.ts";

const one = "5000c50012345678";

judgeInputs<string>(wwnIn, [
  [one, one, "as it is"],
  ["5000C50012345678", one, "Redfish, NAA"],
  ["0x5000c50012345678", one, "ironic-python-agent"],
  ["naa.5000c50012345678", one, "udev"],
  ["NAA.5000C50012345678", one, "in capitals"],
  ["50:00:c5:00:12:34:56:78", one, "with colons"],
  ["50:00:C5:00:12:34:56:78", one, "with colons, in capitals"],
  ["5000c50012345678    ", one, "padded on the right"],
  ["    0x5000c50012345678", one, "padded on the left"],
  ["eui.0025384b21404d2f", "0025384b21404d2f", "NVMe"],
  ["0x5000c50012345678abcdef0123456789", "5000c50012345678abcdef0123456789", "of 16 bytes"],
  ["S6C1NA0TA01511   ", "s6c1na0ta01511", "a serial number in its place"],
  ["S6C1NA0TA01511\0\0\0", "s6c1na0ta01511", "padded with NUL"],
  ["S6:C1", "s6:c1", "no bytes"],
]);
