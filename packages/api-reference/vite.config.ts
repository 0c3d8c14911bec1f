import { defineConfig, type Plugin } from "vite";
import { compressedFiles, LICENSES_FILE } from "../../vite.base.ts";

/** Parts of Scalar that the configuration turns off, and that it would load when they are opened. */
const UNUSED_PARTS =
	/(?:AgentScalarDrawer\.vue|explore-scalar\/.*|@scalar\/api-client\/modal|standalone\/lib\/load-plugins.*)(?:\.js)?$/;

/** Plugin that leaves those parts out of the build: half of its size, and all that sends requests for the reader. */
const withoutUnusedParts = (): Plugin => ({
	name: "without unused parts",
	enforce: "pre",
	resolveDynamicImport: (name) =>
		typeof name === "string" && UNUSED_PARTS.test(name) ? "\0unused-part" : null,
	load: (id) => (id === "\0unused-part" ? "export default undefined;" : null),
});

// biome-ignore lint/style/noDefaultExport: Vite reads it.
export default defineConfig({
	plugins: [withoutUnusedParts(), compressedFiles()],
	// The page is at `/docs`, its files are at `/docs/assets/…`.
	base: "./",
	experimental: {
		renderBuiltUrl: (file, { hostType }) => (hostType === "html" ? `docs/${file}` : { relative: true }),
	},
	define: { __VUE_OPTIONS_API__: "true", __VUE_PROD_DEVTOOLS__: "false" },
	build: {
		target: "es2022",
		// A file each: the content security policy allows no inline script.
		assetsInlineLimit: 0,
		modulePreload: { polyfill: false },
		license: { fileName: LICENSES_FILE },
	},
});
