"""The site: pages in Markdown, of the repository's pages and the headers, for MkDocs."""
