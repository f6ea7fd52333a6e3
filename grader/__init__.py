"""Grades students' attention: runs hostile code in a sandbox, names its mistake, measures its speed."""
