# SPDX-License-Identifier: Apache-2.0
"""What is wrong with a source of samples."""


class FeedError(Exception):
    """ps-run ends with its text."""
