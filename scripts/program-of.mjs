// How programs are started on a platform.

/** Folder of the programs of installed packages. */
const IN_PACKAGES = /[\\/]\.bin[\\/]/;

/**
 * Gives what `spawn` needs. On Windows the program of a package is a command file, which only a shell starts; it gets everything
 * quoted.
 *
 * @param {string} platform as `process.platform`
 * @param {string} path of the program
 * @param {readonly string[]} args
 */
export function programOf(platform, path, args) {
	if (platform !== "win32" || !IN_PACKAGES.test(path)) return { command: path, args, shell: false };
	return { command: [path, ...args].map(quote).join(" "), args: [], shell: true };
}

const quote = (text) => `"${text.replaceAll('"', '\\"')}"`;
