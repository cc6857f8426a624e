"""The Comprehensive Rules as data: reading a release, its references, and the graph made of them."""
