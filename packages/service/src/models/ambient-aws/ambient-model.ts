import type { ChatModel } from "@stemma/core";
import type { AwsKeys } from "@stemma/routing/bedrock";
import type { AmbientCredentials } from "./ambient-credentials";

/** Creates keys that are never sent: with them, everything except the real keys is checked before the first call. */
export const createPlaceholderKeys = (): AwsKeys =>
	addRegion({ accessKeyId: "none", secretAccessKey: "none" });

/**
 * Adds the region of the machine to keys, for a `base_url` that names no region, such as a gateway's: calls there are
 * signed for the machine's region.
 */
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

	/**
	 * Returns the model for the current keys. The capabilities that a model has learned of its endpoint are kept until
	 * the keys change.
	 */
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
