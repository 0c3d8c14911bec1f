import type { Stage } from "@stemma/core";
import { planStages } from "../plan-stages";
import type {
	DeploymentModels,
	DeploymentProvider,
	KnowledgeBaseModels,
	ResolutionInput,
	WorkspaceModels,
} from "../settings";
import type { StageRow } from "../stage-plan";
import type { NamedCase } from "./named-cases";

const BEGIN = "<!-- cases: begin -->";
const END = "<!-- cases: end -->";

/** Markdown of what the functions really decide: the deployments that occur, then a row for each case. */
export function toRoutingTable(cases: readonly NamedCase[]): string {
	const deployments = [...new Set(cases.map(({ input }) => explainDeployment(input.deployment)))];
	const toLetter = (input: ResolutionInput): string =>
		String.fromCharCode(65 + deployments.indexOf(explainDeployment(input.deployment)));
	const rows = cases.map(({ name, input }) => [
		name,
		explainInput(input, toLetter(input)),
		...explainOutcome(input),
	]);
	const legend = deployments.map((text, index) => [`**${String.fromCharCode(65 + index)}**`, text]);
	return `${toTable(["", "deployment"], legend)}\n\n${toTable(HEADINGS, rows)}`;
}

const toTable = (headings: readonly string[], rows: readonly (readonly string[])[]): string =>
	[headings, headings.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`).join("\n");

/** A document with what is between its two markers replaced. */
export function replaceTable(document: string, table: string): string {
	const [before, rest] = document.split(BEGIN);
	const after = rest?.split(END)[1];
	if (before === undefined || after === undefined) throw new Error(`${BEGIN} or ${END} is missing.`);
	return `${before}${BEGIN}\n\n${table}\n\n${END}${after}`;
}

const HEADINGS = ["case", "what is set", "who answers", "pays: answer", "pays: embed", "pays: score"];

function explainOutcome(input: ResolutionInput): readonly string[] {
	const plan = planStages(input);
	if ("refusal" in plan) return [`refused: \`${plan.refusal.code}\``, "–", "–", "–"];
	const payers = (["answer", "embed", "score"] as const).map((stage) => explainPayers(plan.rows, stage));
	const answerRow = plan.rows.find(({ stage }) => stage === "answer");
	return [answerRow === undefined ? "" : explainCall(answerRow), ...payers];
}

const explainPayers = (rows: readonly StageRow[], wanted: Stage): string =>
	rows
		.filter(({ stage }) => stage === wanted)
		.map(({ payer, base_url, provider }) =>
			payer === "none" && base_url === "" ? (provider === "" ? "no call" : "nobody") : payer,
		)
		.join(", ");

const explainCall = ({ model, base_url }: Pick<StageRow, "model" | "base_url">): string =>
	base_url === "" ? "the built-in model" : `\`${model}\` at ${toHost(base_url)}`;

const toHost = (baseUrl: string): string => new URL(baseUrl).host;

/** All that a case sets, from the request down to the deployment. */
const explainInput = (
	{ choice, isClientKey, knowledgeBases = [], workspace }: ResolutionInput,
	letter: string,
): string =>
	[
		...(isClientKey === true ? ["client key"] : []),
		...(choice === undefined ? [] : [`request: ${explainPreference(choice)}`]),
		...knowledgeBases.map(explainKnowledgeBase),
		...(workspace ? [explainWorkspace(workspace)] : []),
		`deployment ${letter}`,
	].join("<br>");

const explainPreference = (preference: {
	provider?: string | null | undefined;
	model?: string | null | undefined;
}): string =>
	[
		...(preference.provider ? [`provider \`${preference.provider}\``] : []),
		...(preference.model ? [`model \`${preference.model}\``] : []),
	].join(", ");

function explainKnowledgeBase({ id, llm_provider, llm_model, embedding }: KnowledgeBaseModels): string {
	const preference = explainPreference({ provider: llm_provider, model: llm_model });
	const vectors = embedding === null ? "no vectors" : embedding ? `vectors of \`${embedding.model}\`` : "";
	return `knowledge base "${id}": ${[preference, vectors].filter((part) => part !== "").join(", ") || "nothing"}`;
}

function explainWorkspace({ provider, base_url, model, has_api_key, status }: WorkspaceModels): string {
	const key = status === "undecryptable" ? "a key that cannot be opened" : has_api_key ? "a key" : "no key";
	return `workspace: ${explainEndpoint({ provider, base_url })}, model \`${model}\`, ${key}`;
}

const explainEndpoint = ({ provider, base_url }: Pick<WorkspaceModels, "provider" | "base_url">): string =>
	`\`${provider}\` at ${toHost(base_url)}`;

function explainDeployment({ providers, chat, embeddings, rerank, aws }: DeploymentModels): string {
	const parts = [
		...Object.entries(providers).map(([name, entry]) => explainProvider(entry, name === chat)),
		...(aws?.allowAmbientCredentials === true ? ["the machine may sign"] : []),
		...(embeddings ? [`embeddings \`${embeddings.model}\` at ${toHost(embeddings.base_url)}`] : []),
		...(rerank ? [`reranker \`${rerank.model}\``] : []),
	];
	return parts.join("; ") || "nothing";
}

function explainProvider(entry: DeploymentProvider, isChat: boolean): string {
	const { default_model, allowed_models = [], credential } = entry;
	const parts = [
		`${explainEndpoint(entry)}${isChat ? "" : ", not for chat"}`,
		default_model === undefined ? "no default model" : `model \`${default_model}\``,
		...(allowed_models.length === 0
			? []
			: [`allows ${allowed_models.map((name) => `\`${name}\``).join(", ")}`]),
		CREDENTIALS[credential],
	];
	return parts.join(", ");
}

const CREDENTIALS = { explicit: "a key", ambient: "the machine's credentials", none: "no key" };
