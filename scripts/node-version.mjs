// Which Node the tasks of this repository need on which platform. In the syntax of Node 12: an old Node has to be able to read it.

/** Platforms for which Node 24 comes as an npm package. */
const PACKAGED = ["linux-x64", "linux-arm64"];

/** What the tasks run on. */
export function currentHost() {
	const { platform, arch, versions } = process;
	return { platform, arch, version: versions.node, isMusl: platform === "linux" && !hasGlibc() };
}

const hasGlibc = () => process.report.getReport().header.glibcVersionRuntime !== undefined;

/** The npm package with Node 24 for a host; undefined where there is none. They need glibc. */
export function findPackagedNode({ platform, arch, isMusl }) {
	const name = `${platform}-${arch}`;
	return PACKAGED.includes(name) && !isMusl ? `node-${name}` : undefined;
}

/** Says what to install where a host's Node does not do; undefined where it does. */
export function explainUnsuitableNode(host) {
	const [major, minor] = host.version.split(".").map(Number);
	if (findPackagedNode(host) !== undefined)
		return major >= 20
			? undefined
			: `This needs Node 20 or later, and this is Node ${host.version}. Install Node 24 (https://nodejs.org), and run the same command again.`;
	if (major >= 24 || (major === 22 && minor >= 18)) return undefined;
	const platform = `${host.platform}-${host.arch}${host.isMusl ? " with musl" : ""}`;
	return `On ${platform} this needs Node 24, or 22.18 or later of Node 22, and this is Node ${host.version}. Install Node 24 (https://nodejs.org), and run the same command again.`;
}
