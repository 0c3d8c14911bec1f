import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";

const folder = fileURLToPath(new URL("../", import.meta.url));
const dist = "../../packages/routing/dist";

/** What a page needs for a task, ours first. */
const BUNDLES = [
	{
		task: "who answers, who pays",
		budget: 3_000,
		clients: { Stemma: { [`${dist}/index.js`]: ["resolveModel", "planStages"] } },
	},
	{
		task: "chat completions, streamed",
		budget: 8_000,
		clients: {
			Stemma: { [`${dist}/openai-compatible.js`]: ["createOpenAiCompatibleModel"] },
			openai: { openai: ["OpenAI"] },
			"AI SDK, provider": { "@ai-sdk/openai-compatible": ["createOpenAICompatible"] },
			"AI SDK, streamText": { ai: ["streamText"], "@ai-sdk/openai-compatible": ["createOpenAICompatible"] },
		},
	},
	{
		task: "Bedrock, streamed",
		budget: 18_000,
		clients: {
			Stemma: { [`${dist}/bedrock.js`]: ["createBedrockModel"] },
			"AWS SDK": { "@aws-sdk/client-bedrock-runtime": ["BedrockRuntimeClient", "ConverseStreamCommand"] },
			"AI SDK, provider": { "@ai-sdk/amazon-bedrock": ["createAmazonBedrock"] },
			"AI SDK, streamText": { ai: ["streamText"], "@ai-sdk/amazon-bedrock": ["createAmazonBedrock"] },
		},
	},
];

/** The bytes of each client's bundle for a browser, minified and compressed. */
export async function measureSizes() {
	const sizes = [];
	for (const { task, budget, clients } of BUNDLES)
		for (const [client, imports] of Object.entries(clients))
			sizes.push({ task, budget, client, bytes: await measureGzip(imports) });
	return sizes;
}

async function measureGzip(imports) {
	const names = Object.values(imports).flat();
	const lines = Object.entries(imports).map(
		([from, named]) => `import { ${named.join(", ")} } from "${from}";`,
	);
	const { outputFiles } = await build({
		stdin: { contents: `${lines.join("\n")}\nglobalThis.kept = [${names.join(", ")}];`, resolveDir: folder },
		bundle: true,
		minify: true,
		format: "esm",
		platform: "browser",
		write: false,
		logLevel: "error",
	});
	return gzipSync(outputFiles[0].contents, { level: 9 }).length;
}
