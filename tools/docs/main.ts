// npm run docs: writes docs/llms.txt, the guides as language models look for them, and the pages about the API in .stemma/api.
import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../sources/list-files.ts";
import { toLlmsText } from "./llms-text.ts";

const read = (path: string): string => readFileSync(join(root, path), "utf8");

writeFileSync(join(root, "docs/llms.txt"), toLlmsText(read("README.md"), read("docs/README.md")));
const typedoc = join(root, "node_modules/typedoc/bin/typedoc");
process.exitCode = spawnSync(process.execPath, [typedoc], { cwd: root, stdio: "inherit" }).status ?? 1;
