import type { Configuration } from "@stemma/service";

/** Endpoint that the settings name, and the model that is used there. */
export interface ModelEndpoint {
	/** Purpose of the model. */
	readonly stage: "answers" | "vectors" | "ranks";
	readonly baseUrl: string;
	readonly model: string;
	/** The API has a list of models (`GET /models`), which takes the key and costs nothing. */
	readonly listsModels: boolean;
	/** API key; left out where there is none, or no list to send it for. */
	readonly key?: string | undefined;
}

/** Lists the endpoints outside of this process that a service of this configuration calls. */
export function listModelEndpoints({
	providers,
	chat,
	embeddings,
	rerank,
}: Pick<Configuration, "providers" | "chat" | "embeddings" | "rerank">): readonly ModelEndpoint[] {
	const endpoints: ModelEndpoint[] = [];
	const provider = chat === undefined ? undefined : providers[chat];
	if (provider !== undefined) endpoints.push(toEndpoint("answers", provider, provider.defaultModel));
	if (embeddings !== undefined && embeddings.provider !== "embedded")
		endpoints.push(toEndpoint("vectors", embeddings, embeddings.model));
	if (rerank !== undefined) endpoints.push(toEndpoint("ranks", rerank, rerank.model));
	return endpoints;
}

interface ConfiguredEndpoint {
	readonly provider: string;
	readonly baseUrl: string;
	readonly credential?: { reveal(): string } | undefined;
}

function toEndpoint(
	stage: ModelEndpoint["stage"],
	{ provider, baseUrl, credential }: ConfiguredEndpoint,
	model: string,
): ModelEndpoint {
	const listsModels = provider === "openai-compatible";
	return { stage, baseUrl, model, listsModels, key: listsModels ? credential?.reveal() : undefined };
}
