/**
 * Requests are signed for the region of the stage. The client of EventBridge can also sign for several
 * at once, for global endpoints, which Slipway has none of.
 */
export { SignatureV4 as SignatureV4MultiRegion } from "@smithy/signature-v4";
