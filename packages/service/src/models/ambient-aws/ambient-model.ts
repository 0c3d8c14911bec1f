import type { ChatModel } from "@stemma/core";
import type { AwsKeys } from "@stemma/routing/bedrock";
import type { AmbientCredentials } from "./ambient-credentials";

/** Never sent: with them all but the keys is checked before the first call. */
export const createPlaceholderKeys = (): AwsKeys =>
	addRegion({ accessKeyId: "none", secretAccessKey: "none" });

/** For a `base_url` that names no region, a gateway's: there the machine signs for its own. */
const addRegion = (keys: AwsKeys): AwsKeys => {
	const region = process.env.AWS_REGION;
	return region ? { ...keys, region } : keys;
};

/**
 * A model that signs each call with the credentials that the machine has by then.
 *
 * @param create - makes the model of some keys; called once at once, and again for new keys.
 * @throws what `create` throws. Calls reject with what {@link AmbientCredentials.get} throws.
 */
export function createAmbientModel(
	credentials: AmbientCredentials,
	create: (keys: AwsKeys) => ChatModel,
): ChatModel {
	const { provider, model, vendorHost } = create(createPlaceholderKeys());
	let cached: { readonly keys: AwsKeys; readonly model: ChatModel } | undefined;

	/** What a model has learnt of its endpoint stays with it while the keys do. */
	async function getModel(): Promise<ChatModel> {
		const keys = await credentials.get();
		if (cached?.keys !== keys) cached = { keys, model: create(addRegion(keys)) };
		return cached.model;
	}

	return {
		provider,
		model,
		vendorHost,
		async generate(request, options) {
			return (await getModel()).generate(request, options);
		},
		async *stream(request, options) {
			yield* (await getModel()).stream(request, options);
		},
	};
}
