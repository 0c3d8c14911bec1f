import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

// biome-ignore lint/style/noDefaultExport: Vite reads it.
export default defineConfig({
	plugins: [react()],
	// The client key works from this origin alone: another port would only be refused later.
	build: { rolldownOptions: { input: ["index.html", "ready.html"] } },
	server: { port: 5173, strictPort: true },
});
