// How programs are started on a platform.

/** Folder of the programs of installed packages. */
const IN_PACKAGES = /[\\/]\.bin[\\/]/;

/**
 * Gives what `spawn` needs. On Windows npm and the programs of packages are command files, which only a shell starts; it gets
 * arguments quoted, as the names of folders may have blanks.
 *
 * @param {string} platform as `process.platform`
 * @param {string} path of the program, or `npm`
 * @param {readonly string[]} args
 */
export function programOf(platform, path, args) {
	const isCommandFile = path === "npm" || IN_PACKAGES.test(path);
	if (platform !== "win32" || !isCommandFile) return { command: path, args, shell: false };
	return { command: [path, ...args].map(quote).join(" "), args: [], shell: true };
}

/** A command file that is found by its name must not be quoted: it would take the working folder for its own. */
const quote = (text) => (/^[\w-]+$/.test(text) ? text : `"${text.replaceAll('"', '\\"')}"`);
