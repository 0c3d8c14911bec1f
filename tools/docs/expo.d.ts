declare module "expo/fetch" {
	export const fetch: typeof globalThis.fetch;
}
