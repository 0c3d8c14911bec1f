import { parseArgs } from "node:util";
import { createImageFolder } from "./image-folder.ts";
import { readStages } from "./read-dockerfile.ts";

// node tools/deploy/write-image.ts <service|runtime> <folder>: the files of an image by the steps of the Dockerfile, without
// Docker. The checkout must be built (`npm run build`); the files are in <folder>/image.

const { positionals } = parseArgs({ allowPositionals: true });
const [target, folder] = positionals;
if (target === undefined || folder === undefined) {
	console.error("Usage: node tools/deploy/write-image.ts <service|runtime> <folder>");
	process.exit(2);
}
const image = await createImageFolder(await readStages(), target, folder);
console.log(
	`${image.toPath("/")}: ${[...image.entrypoint, ...image.command].join(" ")} as user ${image.uid}`,
);
