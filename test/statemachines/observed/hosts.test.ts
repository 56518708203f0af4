import { hosts } from "../../support/matrix/hosts.ts";
import { refusalsOf } from "../../support/matrix/observed.ts";

refusalsOf(hosts, /^host-(clean|switch-off),/, {
  "EraseDrives: server.observe says an image in the drive": "PowerOffErased ejects it",
  "EraseDrives: server.observe says off": "what is erased is erased, on or off",
});
