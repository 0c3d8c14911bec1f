import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import type { Plugin } from "vite";

const compressBrotli = promisify(brotliCompress);
const compressGzip = promisify(gzip);

/** File of a build with the licences of all that is in it. */
export const LICENSES_FILE = "licenses.md";

/** Plugin that puts a Brotli and a gzip file beside each file of the build: the service sends them as they are. */
export const compressedFiles = (): Plugin => ({
	name: "compressed files",
	apply: "build",
	async writeBundle({ dir = "dist" }) {
		const folder = join(dir, "assets");
		const files = [join(dir, "index.html"), ...(await readdir(folder)).map((name) => join(folder, name))];
		await Promise.all(files.filter((file) => /\.(?:css|html|js|svg)$/.test(file)).map(compressFile));
	},
});

async function compressFile(file: string): Promise<void> {
	const content = await readFile(file);
	const params = { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY };
	await writeFile(`${file}.br`, await compressBrotli(content, { params }));
	await writeFile(`${file}.gz`, await compressGzip(content, { level: 9 }));
}
