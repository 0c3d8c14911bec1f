import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

// biome-ignore lint/style/noDefaultExport: Vite reads it.
export default defineConfig({ plugins: [react()] });
