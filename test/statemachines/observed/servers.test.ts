import { networks } from "../../support/matrix/networks.ts";
import { refusalsOf } from "../../support/matrix/observed.ts";

refusalsOf(networks, /^instance-(release|networking),/, {
  "Undo BootImage: server.observe says an image in the drive":
    "each attempt ejects it, and the cleaning of its host looks whether it is gone",
  "one with DPUs, by force, Undo BootImage: server.observe says on":
    "by force a server that stays on is let go after a minute",
  "machines silent, Undo BootImage: server.observe says on":
    "a server that stays on is let go after 20 minutes, and its ports leave the networks next",
  "Undo AttachHost: server.observe says an image in the drive":
    "the cleaning of its host ejects it",
  "ChangeNetworks: server.observe says off": "it is asked whether its site answers at all",
  "ChangeNetworks: server.observe says an image in the drive":
    "it is asked whether its site answers at all",
});
