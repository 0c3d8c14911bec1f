import type { CredentialReference, RefusalCode } from "../resolution";
import type {
	DeploymentProvider,
	KnowledgeBaseModels,
	ModelPreference,
	ResolutionInput,
	WorkspaceModels,
} from "../settings";

/** What a resolution must come to: all but its sentences. */
export type ExpectedResolution =
	| { readonly refused: RefusalCode }
	| {
			readonly payer: "workspace" | "deployment" | "none";
			readonly provider: string;
			readonly base_url: string;
			readonly model: string;
			readonly credential: CredentialReference;
	  };

/**
 * The rules of resolution a second time, as a table of decisions: the first row that fits decides. It shares no code with
 * `resolveModel`, and is read beside docs/routing.md.
 */
export function expectResolution(input: ResolutionInput): ExpectedResolution {
	const facts = toFacts(input);
	const row = TABLE.find(([fits]) => fits(facts));
	if (row === undefined) throw new Error("The table has no row for this case.");
	const expected = row[1];
	return typeof expected === "string" ? { refused: expected } : expected(facts);
}

interface Facts {
	readonly isClientKeyChoosing: boolean;
	/** The format that answers, and whether a request or knowledge base named it. */
	readonly format: string;
	readonly isFormatNamed: boolean;
	/** The model that a request or knowledge base named for this format. */
	readonly named: string | undefined;
	/** The workspace, where its format answers. */
	readonly workspace: WorkspaceModels | undefined;
	/** The provider of the deployment that answers otherwise. */
	readonly name: string;
	readonly entry: DeploymentProvider | undefined;
	readonly isAmbientAllowed: boolean;
}

type Row = readonly [
	fits: (facts: Facts) => boolean,
	expected: RefusalCode | ((facts: Facts) => ExpectedResolution),
];

const TABLE: readonly Row[] = [
	[(is) => is.isClientKeyChoosing, "model_choice_not_allowed"],

	[(is) => is.format === "extractive" && (is.named ?? "extractive") === "extractive", () => BUILT_IN_MODEL],
	[(is) => is.format === "extractive", "provider_not_configured"],

	[(is) => is.workspace?.status === "undecryptable", "credential_undecryptable"],
	[(is) => is.workspace?.has_api_key === false && is.format === "bedrock", "credential_required"],
	[(is) => is.workspace !== undefined && isOfAnotherRegion(is), "region_mismatch"],
	[(is) => is.workspace?.has_api_key === true, (is) => toExpected(is, "workspace", { kind: "workspace" })],
	[(is) => is.workspace !== undefined, (is) => toExpected(is, "workspace", { kind: "none" })],

	[(is) => is.format === "bedrock" && is.isFormatNamed, "credential_required"],
	[(is) => is.entry === undefined, "provider_not_configured"],
	[(is) => is.entry?.credential === "ambient" && !is.isAmbientAllowed, "provider_not_configured"],
	[(is) => is.entry?.credential === "none" && is.format !== "openai-compatible", "provider_not_configured"],
	[(is) => is.named !== undefined && !allows(is.entry, is.named), "model_not_allowed"],
	[(is) => modelOf(is) === "", "model_required"],
	[(is) => isOfAnotherRegion(is), "region_mismatch"],
	[
		(is) => is.entry?.credential === "ambient",
		(is) => toExpected(is, "deployment", { kind: "machine", name: is.name }),
	],
	[
		(is) => is.entry?.credential === "explicit",
		(is) => toExpected(is, "deployment", { kind: "deployment", name: is.name }),
	],
	[() => true, (is) => toExpected(is, "deployment", { kind: "none" })],
];

const BUILT_IN_MODEL: ExpectedResolution = {
	payer: "none",
	provider: "extractive",
	base_url: "",
	model: "extractive",
	credential: { kind: "none" },
};

function toFacts(input: ResolutionInput): Facts {
	const { workspace, deployment } = input;
	const chat = deployment.chat === undefined ? undefined : findEntry(input, deployment.chat);
	const defaultFormat =
		workspace?.provider ?? (deployment.chat === undefined ? "extractive" : chat?.provider);
	const request = toPreference(input.choice);
	const knowledge = toPreference(preferenceOfKnowledge(input.knowledgeBases));
	const namedFormat = request.provider ?? knowledge.provider;
	const format = namedFormat ?? defaultFormat ?? "";
	// A model belongs to the format that it was named for; the built-in format has none but its own.
	const isOfFormat = (knowledge.provider ?? defaultFormat) === format && request.provider !== "extractive";
	const ofKnowledge = isOfFormat ? knowledge.model : undefined;
	const named = request.model ?? ofKnowledge;
	const isFormatNamed = namedFormat !== undefined;
	const candidates = isFormatNamed ? usableNames(input, format) : [deployment.chat ?? ""];
	const name = candidates.find((one) => named !== undefined && allows(findEntry(input, one), named));
	const usedName = name ?? candidates[0] ?? "";
	return {
		isClientKeyChoosing:
			input.isClientKey === true && (request.provider !== undefined || request.model !== undefined),
		format,
		isFormatNamed,
		named,
		workspace: workspace?.provider === format ? workspace : undefined,
		name: usedName,
		entry: findEntry(input, usedName),
		isAmbientAllowed: deployment.aws?.allowAmbientCredentials === true,
	};
}

const toPreference = ({ provider, model }: ModelPreference = {}): ModelPreference => ({
	provider: provider || undefined,
	model: model === "default" ? undefined : model || undefined,
});

function preferenceOfKnowledge(knowledgeBases: readonly KnowledgeBaseModels[] = []): ModelPreference {
	const [only] = knowledgeBases;
	return only !== undefined && new Set(knowledgeBases.map(({ id }) => id)).size === 1
		? { provider: only.llm_provider ?? undefined, model: only.llm_model ?? undefined }
		: {};
}

const findEntry = ({ deployment }: ResolutionInput, name: string): DeploymentProvider | undefined =>
	Object.entries(deployment.providers).find(([own]) => own === name)?.[1];

/** The deployment's providers of a format that whoever chooses may be given: that of `chat` first. */
function usableNames({ deployment }: ResolutionInput, format: string): readonly string[] {
	const isKeyless = format === "openai-compatible";
	return Object.entries(deployment.providers)
		.filter(([, entry]) => entry.provider === format)
		.filter(([, { credential }]) => credential === "explicit" || (credential === "none" && isKeyless))
		.map(([name]) => name)
		.sort((one, other) => Number(other === deployment.chat) - Number(one === deployment.chat));
}

const allows = (entry: DeploymentProvider | undefined, model: string): boolean =>
	entry?.default_model === model || entry?.allowed_models?.includes(model) === true;

const modelOf = ({ named, workspace, entry }: Facts): string =>
	named ?? (workspace === undefined ? entry?.default_model : workspace.model) ?? "";

const baseUrlOf = ({ workspace, entry }: Facts): string => (workspace ?? entry)?.base_url ?? "";

const toExpected = (
	is: Facts,
	payer: "workspace" | "deployment",
	credential: CredentialReference,
): ExpectedResolution => ({
	payer,
	provider: is.format,
	base_url: baseUrlOf(is),
	model: modelOf(is),
	credential,
});

const AREAS: { readonly [prefix: string]: string } = { us: "us", eu: "eu", apac: "ap" };

function isOfAnotherRegion(is: Facts): boolean {
	const [host = ""] = baseUrlOf(is).split("//").slice(1);
	const [service, region = ""] = host.split(".");
	const area = region.split("-")[0] ?? "";
	const wanted = Object.entries(AREAS).find(([prefix]) => modelOf(is).startsWith(`${prefix}.`))?.[1];
	const isComparable = wanted !== undefined && Object.values(AREAS).includes(area);
	return (
		is.format === "bedrock" &&
		service === "bedrock-runtime" &&
		isComparable &&
		area !== wanted &&
		!region.startsWith("us-gov-")
	);
}
