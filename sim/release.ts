/** A release image in the simulated registry. */
export interface Release {
  image: string;
  version: string;
}

const repository = "quay.io/openshift-release-dev/ocp-release";
const tag = /^(\d+)\.(\d+)\.(\d+(?:-[0-9A-Za-z.]+?)?)-(?:multi|x86_64)(?:-x86_64)?$/;
/** The releases that this hub's HyperShift supports. */
const supported = { major: 4, oldest: 14, newest: 21 };

/** The release of an image, or HyperShift's message when there is none. */
export function lookUpRelease(image: string): Release | { refusal: string } {
  const colon = image.lastIndexOf(":");
  const match = image.slice(0, colon) === repository ? tag.exec(image.slice(colon + 1)) : null;
  if (!match) {
    return {
      refusal: `failed to lookup release image: failed to get repo setup: manifest unknown: manifest unknown to registry: ${image}`,
    };
  }
  const [, major, minor, patch] = match;
  const version = `${major}.${minor}.${patch}`;
  if (Number(major) !== supported.major || Number(minor) < supported.oldest) {
    return {
      refusal: `releases before ${supported.major}.${supported.oldest}.0 are not supported. Attempting to use: "${version}"`,
    };
  }
  if (Number(minor) > supported.newest) {
    return {
      refusal: `the latest version supported is: "${supported.major}.${supported.newest}.0". Attempting to use: "${version}"`,
    };
  }
  return { image, version };
}
