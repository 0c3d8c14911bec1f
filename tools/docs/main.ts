// npm run docs: writes docs/llms.txt, the guides as language models look for them, the pages about the API in .stemma/api, and
// the docs site in .stemma/site. Options: --base, the path of the site on its host; --version, whose tag its links name.
import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { buildSite } from "../docs-site/build-site.ts";
import { root } from "../sources/list-files.ts";
import { toLlmsText } from "./llms-text.ts";

const { base, version } = parseArgs({
	options: { base: { type: "string", default: "/" }, version: { type: "string" } },
}).values;

const read = (path: string): string => readFileSync(join(root, path), "utf8");

writeFileSync(join(root, "docs/llms.txt"), toLlmsText(read("README.md"), read("docs/README.md")));
const typedoc = join(root, "node_modules/typedoc/bin/typedoc");
const { status } = spawnSync(process.execPath, [typedoc], { cwd: root, stdio: "inherit" });
if (status === 0) await buildSite({ out: join(root, ".stemma/site"), base, version });
else process.exitCode = 1;
