import react from "@vitejs/plugin-react";

// biome-ignore lint/style/noDefaultExport: Vite reads it.
export default {
	plugins: [react()],
	// The client key works from this origin alone: another port would only be refused later.
	server: { port: 5174, strictPort: true },
};
