/** Says what to install where a version of Node is too old; undefined where it does. Imports nothing: an old Node could not load it. */
export function explainOutdatedNode(version: string): string | undefined {
	const [major = 0, minor = 0] = version.split(".").map(Number);
	if (major > 22 || (major === 22 && minor >= 16)) return undefined;
	return `stemma needs Node 22.16 or later, and this is Node ${version}. Install Node 24 (https://nodejs.org), and run the same command again.`;
}
