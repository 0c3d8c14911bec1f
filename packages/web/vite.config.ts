import { fileURLToPath } from "node:url";
import react from "@vitejs/plugin-react";
import { defineConfig, type Plugin } from "vite";
import { compressedFiles, LICENSES_FILE } from "../../vite.base.ts";
import { pdfLicenses } from "./pdf-licenses";

const packages = fileURLToPath(new URL("../", import.meta.url));

/** Statement with which the worker of PDF.js loads a decoder of pictures without WebAssembly. */
const DECODER_IMPORT =
	/await import\(\s*\/\*webpackIgnore: true\*\/\s*\/\*@vite-ignore\*\/\s*`\$\{WasmImage\.#wasmUrl\}\$\{this\._noWasmFilename\}`\)/;

const DECODERS = `
import decodeJbig2 from "pdfjs-dist/wasm/jbig2_nowasm_fallback.js";
import decodeJpeg2000 from "pdfjs-dist/wasm/openjpeg_nowasm_fallback.js";
const DECODERS = {
	"jbig2_nowasm_fallback.js": { default: decodeJbig2 },
	"openjpeg_nowasm_fallback.js": { default: decodeJpeg2000 },
};
`;

/**
 * Plugin that builds the decoders of pictures into the worker of PDF.js, which else looks for them at addresses that it
 * makes up at run time. They are in plain JavaScript, as the policy of the page allows no WebAssembly.
 */
const pdfDecoders = (): Plugin => ({
	name: "PDF decoders",
	transform(code, id) {
		if (!id.includes("pdf.worker.mjs")) return;
		if (!DECODER_IMPORT.test(code)) throw new Error("PDF.js loads its decoders in another way now.");
		return { code: DECODERS + code.replace(DECODER_IMPORT, "DECODERS[this._noWasmFilename]"), map: null };
	},
});

// biome-ignore lint/style/noDefaultExport: Vite reads it.
export default defineConfig({
	plugins: [react(), compressedFiles(), pdfLicenses()],
	resolve: {
		// Sibling packages are built at the same time.
		alias: [
			{ find: "@stemma/react/chat.css", replacement: `${packages}react/chat.css` },
			{ find: /^@stemma\/([^/]+)$/, replacement: `${packages}$1/src/index.ts` },
			{ find: /^@stemma\/([^/]+)\/(.+)$/, replacement: `${packages}$1/src/$2.ts` },
		],
		// The hooks are outside of this package.
		dedupe: ["react", "react-dom"],
	},
	worker: { format: "es", plugins: () => [pdfDecoders()] },
	build: {
		target: "es2022",
		// A file each: the content security policy allows no inline script, and data addresses for images alone.
		assetsInlineLimit: 0,
		modulePreload: { polyfill: false },
		license: { fileName: LICENSES_FILE },
	},
	// `npm run dev` of the service beside it.
	server: { proxy: { "/v1": "http://localhost:4000" } },
});
