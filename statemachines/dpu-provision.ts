import { saga } from "../core/kernel/saga/action.ts";
import { step } from "../core/kernel/saga/saga.ts";
import {
  bootInstaller,
  getAddress,
  loadImage,
  reportDiscovery,
  runCloudInit,
} from "./steps/dpu/install.ts";
import { announceLeaf, configureNetwork } from "./steps/dpu/network.ts";

const setAside = {
  none: "a DPU that failed is quarantined as it is, so that an operator sees what went wrong",
};

/** Installs a DPU and makes it a leaf of the fabric that carries its host's packets. */
export const dpuProvision = saga<"dpu">("dpu-provision", {
  comment: "A DPU installs its image, and becomes a leaf that has its host on the admin network",
  nodes: [
    step("BootInstaller", bootInstaller, setAside),
    step("GetAddress", getAddress, setAside),
    step("LoadImage", loadImage, setAside),
    step("RunCloudInit", runCloudInit, setAside),
    step("ReportDiscovery", reportDiscovery, setAside),
    step("AnnounceLeaf", announceLeaf, {
      none: "it keeps its numbers: a quarantined DPU may still announce them",
    }),
    step("ConfigureNetwork", configureNetwork, setAside),
  ],
});
